import { fsDriver } from '../../src-main/blobs/fs-driver.ts'
import { memoryDriver } from '../../src-main/blobs/memory-driver.ts'
import { tempDir } from '../support/temp.ts'
import { blobDriverContract } from './blob-driver.ts'

blobDriverContract('a store in files', () => fsDriver(tempDir()))
blobDriverContract('a store in memory', memoryDriver)
