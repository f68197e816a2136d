import { posix } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import { lifeCycle } from './life-cycle.ts'
import { escapeHtml } from './shell.ts'

export interface MarkdownParts {
  /** Where the text lies, from the root of the documentation. */
  readonly file: string
  /** The site's path of another file of the documentation; null: it is not part of the site. */
  pathOf(file: string): string | null
  /** The text of a drawing. */
  drawing(file: string): string
}

export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const isElsewhere = (href: string): boolean => /^([a-z]+:|\/|#)/i.test(href)

function resolved(file: string, href: string): { target: string; anchor: string } {
  const [path = '', anchor] = href.split('#')
  return { target: posix.normalize(posix.join(posix.dirname(file), path)), anchor: anchor ? `#${anchor}` : '' }
}

/** A link to a file that the site does not show is only its words. */
function relink(tokens: readonly Token[], { file, pathOf }: MarkdownParts): void {
  let isPlain = false
  for (const token of tokens) {
    if (token.type === 'link_close' && isPlain) {
      token.tag = 'span'
      isPlain = false
    }
    if (token.type !== 'link_open') continue
    const href = String(token.attrGet('href') ?? '')
    if (isElsewhere(href)) continue
    const { target, anchor } = resolved(file, href)
    const path = pathOf(target)
    if (path !== null) {
      token.attrSet('href', `${path}${anchor}`)
      continue
    }
    token.tag = 'span'
    token.attrs = null
    isPlain = true
  }
}

/** From so many columns on a phone shows a row as a list; each cell then says what it is. */
const MANY_COLUMNS = 3

function labelCells(tokens: readonly Token[]): void {
  let table: Token | undefined
  let [heads, column]: [string[], number] = [[], 0]
  tokens.forEach((token, index) => {
    if (token.type === 'table_open') [table, heads] = [token, []]
    if (token.type === 'tr_open') column = 0
    if (token.type === 'th_open') heads.push(tokens[index + 1]?.content.replaceAll('`', '') ?? '')
    if (heads.length >= MANY_COLUMNS) table?.attrSet('class', 'many')
    if (token.type !== 'td_open') return
    if (heads.length >= MANY_COLUMNS && column > 0) token.attrSet('data-label', heads[column] ?? '')
    column += 1
  })
}

/** One text of the documentation as HTML. Markup in the text stays text. */
export function renderMarkdown(text: string, parts: MarkdownParts): { title: string; html: string } {
  const markdown = new MarkdownIt({ html: false, linkify: false })
  let title = ''
  markdown.core.ruler.push('site', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type === 'inline') relink(token.children ?? [], parts)
      // The content policy lets no element bring a style of its own.
      const side = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1]
      if (side) token.attrs = [['class', side]]
      if (token.type !== 'heading_open') return
      const words = tokens[index + 1]?.content.replaceAll('`', '') ?? ''
      if (token.tag === 'h1') title ||= words
      else token.attrSet('id', slugOf(words))
    })
    labelCells(tokens)
  })
  markdown.renderer.rules.image = (tokens, index) => {
    const [token] = tokens.slice(index)
    const { target } = resolved(parts.file, String(token?.attrGet('src') ?? ''))
    const words = escapeHtml(token?.content ?? '')
    // Pictures of screens are all of one size: what follows does not jump when they come in.
    if (!target.endsWith('.svg'))
      return `<figure><img src="/docs/${escapeHtml(target)}" alt="${words}" width="1280" height="800" loading="lazy"></figure>`
    return `<figure role="img" aria-label="${words}">${parts.drawing(target)}</figure>`
  }
  const code = markdown.renderer.rules.fence
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = '', content = '' } = tokens[index] ?? {}
    return (info.trim() === 'mermaid' && lifeCycle(content)) || (code?.(tokens, index, ...rest) ?? '')
  }
  // A wide table scrolls by itself.
  markdown.renderer.rules.table_open = (tokens, index) =>
    `<div class="table"><table${tokens[index]?.attrGet('class') ? ' class="many"' : ''}>\n`
  markdown.renderer.rules.table_close = () => '</table></div>\n'
  // Comments are notes for those who write, such as "generated".
  const html = markdown.render(text.replace(/^<!--[\s\S]*?-->\n/gm, ''))
  return { title, html }
}
