import { escapeHtml } from './shell.ts'

const TRANSITION = /^(\S+) --> ([^\s:]+)(?:: (.+))?$/
const INSIDE = /^state (\w+) \{$/

/** A state diagram of Mermaid as a table of its steps: pages have no program that would draw it. Undefined: something else. */
export function lifeCycle(diagram: string): string | undefined {
  const [kind, ...lines] = diagram
    .trim()
    .split('\n')
    .map((line) => line.trim())
  if (kind !== 'stateDiagram-v2') return undefined
  let outer = ''
  const rows: string[] = []
  for (const line of lines) {
    const [, from = '', to = '', by = ''] = TRANSITION.exec(line) ?? []
    outer = INSIDE.exec(line)?.[1] ?? (line === '}' ? '' : outer)
    if (!from) continue
    const named = (state: string, end: string) =>
      escapeHtml(state === '[*]' ? end : outer ? `${outer}: ${state}` : state)
    const cells = [named(from, outer || '(begin)'), named(to, outer || '(end)'), escapeHtml(by)]
    const labels = ['', ' data-label="To"', ' data-label="By"']
    rows.push(`<tr>${cells.map((cell, index) => `<td${labels[index]}>${cell}</td>`).join('')}</tr>`)
  }
  return `<div class="table"><table class="many"><thead><tr><th>From</th><th>To</th><th>By</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>\n`
}
