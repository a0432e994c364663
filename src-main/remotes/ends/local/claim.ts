import { tellContents } from '../../../domain/sync/compare.ts'
import type { BoxSnapshot, VersionSnapshot } from '../../../domain/sync/snapshot.ts'

/** What a box holds that another one does not, as the end of a sentence; null when it holds nothing more. */
export function whatIsMore(mine: BoxSnapshot, theirs: BoxSnapshot): string | null {
  if (mine.shortDescription !== theirs.shortDescription || mine.description !== theirs.description)
    return 'its description here is another one'
  if (mine.private && !theirs.private) return 'it is private here, and public there'
  for (const version of mine.versions) {
    const there = theirs.versions.find(({ number }) => number === version.number)
    if (!there) return `version ${version.number} is here alone`
    const more = whatVersionHasMore(version, there)
    if (more !== null) return more
  }
  return null
}

function whatVersionHasMore(mine: VersionSnapshot, theirs: VersionSnapshot): string | null {
  if (mine.description !== theirs.description)
    return `the description of version ${mine.number} is another one here`
  if (mine.status !== 'unreleased' && theirs.status === 'unreleased')
    return `version ${mine.number} has been released here, and not there`
  if (mine.status === 'revoked' && theirs.status !== 'revoked')
    return `version ${mine.number} was revoked here, and not there`
  for (const { provider, architecture, content } of mine.images) {
    const there = theirs.images.find((one) => one.provider === provider && one.architecture === architecture)
    if (content.kind !== 'empty' && (!there || tellContents(content, there.content) !== 'same'))
      return `the image of version ${mine.number} for ${provider} on ${architecture} is ${there ? 'another one' : 'in the one'} here`
  }
  return null
}
