import type { ImageDetails } from '../../../src-main/contract/boxes.ts'
import type { Payload } from '../../../src-main/contract/desk.ts'
import type { ChecksumType } from '../../../src-main/contract/words.ts'

type Changes = Payload<'image.change'>['changes']

/** What a person fills in for an image. */
export class ImageForm {
  provider = $state('')
  architecture = $state('')
  elsewhere = $state(false)
  url = $state('')
  checksum = $state('')
  checksumType = $state<ChecksumType>('sha256')
  isDefault = $state(false)

  constructor(image: ImageDetails | null) {
    if (!image) return
    this.provider = image.provider
    this.architecture = image.architecture
    this.elsewhere = image.url !== null
    this.url = image.url ?? ''
    this.checksum = image.url === null ? '' : (image.checksum ?? '')
    this.checksumType = image.checksumType ?? 'sha256'
    this.isDefault = image.isDefault
  }

  /** What is to be sent; a checksum belongs to an address, that of a file here is what the file says. */
  get changes(): Changes {
    const checksum = this.checksum.trim()
    return {
      ...(this.isDefault && { isDefault: true }),
      ...(this.elsewhere && {
        url: this.url.trim(),
        checksum,
        ...(checksum !== '' && { checksumType: this.checksumType })
      })
    }
  }

  get complete(): boolean {
    return this.provider.trim() !== '' && (!this.elsewhere || this.url.trim() !== '')
  }
}
