const COMMENT_OR_STRING = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g

/** The same text with blanks in place of comments and strings: every place in it is the same place in the original. */
export const blankedText = (text: string): string =>
  text.replace(COMMENT_OR_STRING, (found) => found.replace(/[^\n]/g, ' '))

/** Where the bracket that opens at `start` closes. */
export function closingBracket(blanked: string, start: number): number {
  let depth = 0
  for (let at = start; at < blanked.length; at++) {
    if ('([{'.includes(blanked[at] ?? '')) depth++
    else if (')]}'.includes(blanked[at] ?? '') && --depth === 0) return at
  }
  throw new Error('a bracket is never closed')
}

/** What stands between the commas of a list, not of the lists within it. */
export function listItems(list: string): string[] {
  const blanked = blankedText(list)
  const items: string[] = []
  let [from, depth] = [0, 0]
  for (let at = 0; at < blanked.length; at++) {
    if ('([{'.includes(blanked[at] ?? '')) depth++
    else if (')]}'.includes(blanked[at] ?? '')) depth--
    else if (blanked[at] === ',' && depth === 0) {
      items.push(list.slice(from, at))
      from = at + 1
    }
  }
  return [...items, list.slice(from)].map((item) => item.trim())
}
