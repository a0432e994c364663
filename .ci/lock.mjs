/** One at a time, between processes: two terminals may start a fresh clone at the same moment. */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const heartbeat = 2_000
const silence = 5 * heartbeat

/** Runs the action while this process alone holds the lock file. The lock of a process that died is taken over. */
export async function withLock(file, waiting, action) {
  let told = false
  while (!take(file)) {
    if (isAbandoned(file)) remove(file)
    else {
      if (!told) waiting()
      told = true
      await sleep(100)
    }
  }
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), heartbeat)
  try {
    return await action()
  } finally {
    clearInterval(beat)
    rmSync(file, { force: true })
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Without its process, or without a sign of life: a process id alone may have been given to somebody else meanwhile. */
function isAbandoned(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs > silence) return true
    const holder = Number(readFileSync(file, 'utf8'))
    if (!holder) return false // taken this instant, not written yet
    process.kill(holder, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Renamed first: of two that saw the same dead lock, one gets it and the other tries again. */
function remove(file) {
  const mine = `${file}.${process.pid}`
  try {
    renameSync(file, mine)
    rmSync(mine, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}
