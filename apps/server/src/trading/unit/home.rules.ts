/** Between 0 and 2^32, and far apart for texts that differ little: FNV-1a, with its bits mixed once more at the end. */
function weightOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * Servers in the order in which a lane falls to them: the same whoever asks, and about as many lanes for each. When one comes or goes, only the
 * lanes move that become its own, or were.
 */
export function inTurnFor(laneId: string, urls: readonly string[]): string[] {
  return urls
    .map((url) => ({ url, weight: weightOf(`${laneId} ${url}`) }))
    .sort((a, b) => b.weight - a.weight || (a.url < b.url ? -1 : 1))
    .map(({ url }) => url)
}
