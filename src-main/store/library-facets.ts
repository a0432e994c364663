import type { LibraryFacets } from '../contract/library.ts'
import { architectureTermKinds, providerTermKinds } from '../domain/search-terms.ts'
import type { Db } from './open.ts'
import type { PostingReader } from './postings.ts'
import { isChunk, type Stamps } from './search-stamps.ts'

/** So many of each are told of. */
const mostListed = 1000
/** So many names are looked at for them: those that no box has any more are passed over. */
const mostLookedAt = 5000

/** What there is to filter by, read again when it may be something else. */
export function libraryFacets(db: Db, postings: PostingReader): (stamps: Stamps) => LibraryFacets {
  const census = db
    .prepare<[], [count: number, newest: number | null]>('SELECT count(*), max(id) FROM organizations')
    .raw()
  const all = db.prepare<[], string>('SELECT name FROM organizations ORDER BY name_key').pluck()
  const largest = db
    .prepare<[number], string>(
      `SELECT name FROM organizations JOIN
         (SELECT organization_id, count(*) AS boxes FROM boxes GROUP BY organization_id ORDER BY boxes DESC LIMIT ?)
         ON organization_id = organizations.id
       ORDER BY name_key`
    )
    .pluck()
  const terms = db
    .prepare<[string, string, number], [id: number, term: string]>(
      'SELECT id, term FROM search_terms WHERE term > ? AND term < ? LIMIT ?'
    )
    .raw()

  function named(kinds: readonly string[], stamps: Stamps, chunks: readonly number[]): string[] {
    const found = new Set<string>()
    for (const kind of kinds)
      for (const [id, term] of terms.all(kind, following(kind), mostLookedAt))
        if (chunks.some((chunk) => postings.boxes(stamps, chunk, id))) found.add(term.slice(kind.length))
    return [...found].sort().slice(0, mostListed)
  }

  let kept: { readonly stamp: string; readonly facets: LibraryFacets } | null = null
  return (stamps) => {
    const [count, newest] = census.get() ?? [0, null]
    const parts = [...stamps].filter(([part]) => isChunk(part))
    const stamp = [count, newest, ...parts.flat()].join()
    if (kept?.stamp !== stamp) {
      const chunks = parts.map(([part]) => part)
      const facets = {
        organizations: count <= mostListed ? all.all() : largest.all(mostListed),
        providers: named(providerTermKinds, stamps, chunks),
        architectures: named(architectureTermKinds, stamps, chunks)
      }
      kept = { stamp, facets }
    }
    return kept.facets
  }
}

/** The first text after all that begin with a character. */
const following = (character: string): string => String.fromCharCode(character.charCodeAt(0) + 1)
