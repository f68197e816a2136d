import { posix } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
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

/** One text of the documentation as HTML. Markup in the text stays text. */
export function renderMarkdown(text: string, parts: MarkdownParts): { title: string; html: string } {
  const markdown = new MarkdownIt({ html: false, linkify: false })
  let title = ''
  markdown.core.ruler.push('site', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (token.type === 'inline') relink(token.children ?? [], parts)
      if (token.type !== 'heading_open') return
      const words = tokens[index + 1]?.content.replaceAll('`', '') ?? ''
      if (token.tag === 'h1') title ||= words
      else token.attrSet('id', slugOf(words))
    })
  })
  markdown.renderer.rules.image = (tokens, index) => {
    const [token] = tokens.slice(index)
    const { target } = resolved(parts.file, String(token?.attrGet('src') ?? ''))
    return `<figure role="img" aria-label="${escapeHtml(token?.content ?? '')}">${parts.drawing(target)}</figure>`
  }
  // Comments are notes for those who write, such as "generated".
  const html = markdown.render(text.replace(/^<!--[\s\S]*?-->\n/gm, ''))
  return { title, html }
}
