import type { VersionStatus } from './model.ts'

/** What decides whether a version can be released or revoked. */
export interface Releasable {
  readonly number: string
  readonly status: VersionStatus
  readonly images: readonly { readonly url: string | null; readonly blob: string | null }[]
}

/** Says why a version cannot be released, or nothing. */
export function releaseFault({ number, status, images }: Releasable): string | null {
  switch (status) {
    // Packer takes exactly the words "already been released" for success when it adds a second provider.
    case 'active':
      return `Version ${number} has already been released.`
    case 'revoked':
      return `Version ${number} was revoked, which is final; create a new version instead.`
    case 'unreleased':
      return images.some(({ url, blob }) => url !== null || blob !== null)
        ? null
        : `Version ${number} cannot be released before one of its providers has a url or an uploaded box file.`
  }
}

/** Says why a version cannot be revoked, or nothing. */
export function revokeFault({ number, status }: Pick<Releasable, 'number' | 'status'>): string | null {
  switch (status) {
    case 'active':
      return null
    case 'revoked':
      return `Version ${number} has already been revoked.`
    case 'unreleased':
      return `Version ${number} was never released, so it cannot be revoked; delete it instead.`
  }
}
