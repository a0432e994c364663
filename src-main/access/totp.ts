import { generateSecret, generateURI, verifySync } from 'otplib'

const stepSeconds = 30

/** A fresh secret for an authenticator app, in the letters people type into one. */
export const newTotpSecret = (): string => generateSecret()

/** What an authenticator app reads from a picture or a link. */
export const totpUrl = (userName: string, secret: string): string =>
  generateURI({ issuer: 'Boxyard', label: userName, secret })

/** The time step a code belongs to, when it is that of now, the one before or the one after; else null. */
export function totpStep(secret: string, code: string, now: number): number | null {
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(now / 1000),
    epochTolerance: stepSeconds
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
