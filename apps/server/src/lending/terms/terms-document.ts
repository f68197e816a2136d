import MarkdownIt, { type Token } from 'markdown-it'

/** HTML in a text is shown as text, and pictures are not loaded from anywhere: terms are read by people who trust nobody. */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false }).disable('image')

const MAX_DEPTH = 50

/** Quotes and lists set in so deep that a reader would lose them. Far deeper the parser itself would leave text out. */
export const isTooDeep = (content: string): boolean =>
  markdown.parse(content, {}).some(({ level }) => level > MAX_DEPTH)

const REMEMBERED = 20

/** A long table takes a second to render, and the same text always renders the same: the last few are kept. */
function remembered(render: (content: string) => string): (content: string) => string {
  const kept = new Map<string, string>()
  return (content) => {
    const known = kept.get(content)
    const rendered = known ?? render(content)
    kept.delete(content)
    kept.set(content, rendered)
    const [oldest] = kept.keys()
    if (kept.size > REMEMBERED && oldest !== undefined) kept.delete(oldest)
    return rendered
  }
}

export const htmlOf = remembered((content) => markdown.render(content))

/** A piece of a document as something without HTML shows it. */
export interface TextBlock {
  readonly kind: 'heading' | 'paragraph' | 'code' | 'rule'
  /** Of a heading: 1 to 6. Of anything else: how deep it is set in. */
  readonly level: number
  /** What stands before the first line: a bullet or a number. */
  readonly marker: string
  readonly text: string
}

/** Text without marks; a link keeps its address, since paper cannot be clicked. */
function inlineText(children: readonly Token[]): string {
  let text = ''
  let link: { href: string; from: number } | undefined
  for (const token of children) {
    if (token.type === 'text' || token.type === 'code_inline') text += token.content
    else if (token.type === 'softbreak') text += ' '
    else if (token.type === 'hardbreak') text += '\n'
    else if (token.type === 'link_open') link = { href: String(token.attrGet('href') ?? ''), from: text.length }
    else if (token.type === 'link_close' && link) {
      const shown = text.slice(link.from)
      if (link.href && link.href !== shown) text += ` (${link.href})`
      link = undefined
    }
  }
  return text
}

interface List {
  next: number | null
}

/** The document block by block. Tables become lines with bars between the cells. */
export function blocksOf(content: string): TextBlock[] {
  const blocks: TextBlock[] = []
  const lists: List[] = []
  let quotes = 0
  let heading = 0
  let marker = ''
  let row: string[] | undefined

  const indent = () => lists.length + quotes
  function add(kind: TextBlock['kind'], text: string): void {
    blocks.push({ kind, level: kind === 'heading' ? heading : indent(), marker, text })
    marker = ''
  }

  for (const token of markdown.parse(content, {})) {
    switch (token.type) {
      case 'heading_open':
        heading = Number(token.tag.slice(1))
        break
      case 'heading_close':
        heading = 0
        break
      case 'bullet_list_open':
        lists.push({ next: null })
        break
      case 'ordered_list_open':
        lists.push({ next: Number(token.attrGet('start') ?? 1) })
        break
      case 'bullet_list_close':
      case 'ordered_list_close':
        lists.pop()
        break
      case 'list_item_open': {
        const list = lists.at(-1)
        marker = list?.next == null ? '- ' : `${list.next++}. `
        break
      }
      case 'blockquote_open':
        quotes++
        break
      case 'blockquote_close':
        quotes--
        break
      case 'tr_open':
        row = []
        break
      case 'tr_close':
        add('paragraph', row?.join(' | ') ?? '')
        row = undefined
        break
      case 'inline': {
        const text = inlineText(token.children ?? [])
        if (row) row.push(text)
        else add(heading ? 'heading' : 'paragraph', text)
        break
      }
      case 'fence':
      case 'code_block':
        add('code', token.content.replace(/\n$/, ''))
        break
      case 'hr':
        add('rule', '')
        break
    }
  }
  return blocks
}

/** The same as text alone. */
export const plainTextOf = remembered((content) => {
  const paragraphs = blocksOf(content).map(({ kind, level, marker, text }) => {
    if (kind === 'rule') return '----'
    const margin = kind === 'heading' ? '' : '  '.repeat(Math.max(0, marker ? level - 1 : level))
    const lines = text.split('\n')
    return lines.map((line, index) => `${margin}${index === 0 ? marker : ' '.repeat(marker.length)}${line}`).join('\n')
  })
  return `${paragraphs.join('\n\n')}\n`
})
