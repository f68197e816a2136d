import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { listFiles } from '../support/repository.ts'

const SERVER = 'apps/server/src/'
/** Of values and of types alike: a type that two folders owe each other ties them together as well. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/** A folder with the files that stand in it; the face of a feature stands above the feature's folders, its other files below. */
function placeOf(path: string): string {
  return /^apps\/server\/src\/[^/]+\/index[.]ts$/.test(path) ? path : dirname(path)
}

type Arrows = Map<string, Map<string, string>>

/** Which folder knows which, each with one import that shows it. */
function arrowsOf(root: string): Arrows {
  const arrows: Arrows = new Map()
  const sources = listFiles(root).filter((path) => path.startsWith(SERVER) && /(?<![.]test)[.]ts$/.test(path))
  for (const path of sources)
    for (const [, specifier = ''] of readFileSync(join(root, path), 'utf8').matchAll(IMPORT)) {
      const target = normalize(join(dirname(path), specifier))
      const [from, to] = [placeOf(path), placeOf(target)]
      if (from === to || !target.startsWith(SERVER)) continue
      const known = arrows.get(from) ?? new Map<string, string>()
      arrows.set(from, known.set(to, known.get(to) ?? `${path} → ${target}`))
    }
  return arrows
}

/** The shortest way from one folder to another. */
function wayBetween(arrows: Arrows, from: string, to: string): string[] | null {
  const cameFrom = new Map<string, string>()
  const waiting = [from]
  for (const place of waiting)
    for (const next of arrows.get(place)?.keys() ?? []) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, place)
      waiting.push(next)
    }
  if (!cameFrom.has(to)) return null
  const way = [to]
  for (let at = cameFrom.get(to); at !== undefined; at = at === from ? undefined : cameFrom.get(at)) way.unshift(at)
  return way
}

/** Folders of the server that know each other, directly or through others: what they share belongs into one below both. */
export function folderCircleFindings(root: string): string[] {
  const arrows = arrowsOf(root)
  const seen = new Set<string>()
  return [...arrows].flatMap(([from, known]) =>
    [...known].flatMap(([to, example]) => {
      const back = wayBetween(arrows, to, from)
      const key = back?.toSorted().join()
      if (!back || key === undefined || seen.has(key)) return []
      seen.add(key)
      return [`error folder-circle: ${example} (${[from, ...back].join(' → ')})`]
    }),
  )
}
