import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Accounts } from '../../src-main/access/accounts.ts'
import { Passwords } from '../../src-main/access/passwords.ts'
import { SecondFactor } from '../../src-main/access/second-factor.ts'
import { ShownCodes } from '../../src-main/access/shown-codes.ts'
import { SignIn } from '../../src-main/access/sign-in.ts'
import { Tokens } from '../../src-main/access/tokens.ts'
import { createLog, type Log } from '../../src-main/log.ts'
import { databaseFiles, openCatalogue, type Db } from '../../src-main/store/open.ts'
import { fileVault } from '../../src-main/vault/vault.ts'
import { tempDir } from './temp.ts'

/** Passwords at next to no cost: what they protect here is nothing. */
export const cheapPasswords = (): Passwords => new Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 })

export const minutes = (n: number): number => n * 60_000
export const hours = (n: number): number => n * minutes(60)
export const seconds = (n: number): number => n * 1000

/** A time of day that stands still until a test moves it. */
export class Clock {
  time = Date.UTC(2026, 0, 31, 12)
  readonly now = (): number => this.time
  pass(ms: number): void {
    this.time += ms
  }
}

let empty: Buffer | null = null

/** The file of an empty catalogue, made once for each file of tests: every migration waits for the disk. */
function emptyCatalogue(): Buffer {
  if (empty) return empty
  const folder = mkdtempSync(join(tmpdir(), 'boxyard-empty-'))
  openCatalogue(folder).close()
  empty = readFileSync(databaseFiles(folder).catalogue)
  rmSync(folder, { recursive: true })
  return empty
}

/** The catalogue of a folder, or a new one. It waits for no disk: no test cuts the power. */
export function openTestCatalogue(dataDir: string = tempDir()): Db {
  const file = databaseFiles(dataDir).catalogue
  mkdirSync(dataDir, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, emptyCatalogue())
  const db = openCatalogue(dataDir)
  db.pragma('synchronous = OFF')
  onTestFinished(() => void db.close())
  return db
}

/** The services of access/ on a real database, with a clock of the test's own and a log it can read. */
export function accessWorld(dataDir: string = tempDir(), clock: Clock = new Clock()) {
  const lines: string[] = []
  const log: Log = createLog((line) => void lines.push(line))
  const db = openTestCatalogue(dataDir)
  const passwords = cheapPasswords()
  const secondFactor = new SecondFactor(db, fileVault(dataDir), log, clock.now)
  const tokens = new Tokens(db, clock.now)
  const accounts = new Accounts(db, { passwords, secondFactor }, clock.now)
  const shownCodes = new ShownCodes(secondFactor, log)
  const signIn = new SignIn(db, { passwords, tokens, secondFactor, shownCodes }, log, clock.now)
  /** The last code shown on this machine. */
  const shownCode = (): string => /: (\d{6}) \(/.exec(lines.at(-1) ?? '')?.[1] ?? 'none'
  return {
    dataDir,
    clock,
    lines,
    log,
    db,
    passwords,
    secondFactor,
    tokens,
    accounts,
    signIn,
    shownCode,
    shownCodes
  }
}
