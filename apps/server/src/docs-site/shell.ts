import { createHash } from 'node:crypto'

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export interface NavSection {
  readonly title: string
  readonly links: readonly { readonly path: string; readonly title: string }[]
}

const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#f4f5f7;--line:#d9dde3;--accent:#8a5a12}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#15181c;--soft:#1e2228;--line:#333a43;--accent:#e0ab5a}}
*{box-sizing:border-box}body{margin:0;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);display:grid;grid-template-columns:250px minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:24px 16px;background:var(--soft);border-right:1px solid var(--line)}
nav a{display:block;padding:3px 8px;color:inherit;text-decoration:none;border-radius:4px}nav a:hover{background:var(--line)}
nav h2{font-size:12px;text-transform:uppercase;letter-spacing:.08em;margin:20px 8px 6px;color:var(--accent)}
main{padding:32px 40px;max-width:1000px;overflow-wrap:anywhere}section,.index{border-top:1px solid var(--line);padding:20px 0}
h1{margin:0 0 4px}main h2{margin:28px 0 8px;font-size:20px}main h2+*,main h3+*{margin-top:6px}pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:12px 14px;overflow:auto}pre code{background:none;padding:0}a{color:var(--accent)}nav a[aria-current]{background:var(--line);font-weight:600}nav b a{font-size:17px}figure{margin:20px 0}figure svg{max-width:100%;height:auto}.index{columns:2;font-size:14px;padding:14px 0 14px 20px}h3{margin:0 0 4px;font-size:19px}h4{margin:16px 0 6px;font-size:13px;color:var(--accent)}
.route b{color:var(--accent)}.route span{float:right;font-size:13px;opacity:.75}
table{border-collapse:collapse;width:100%;font-size:13.5px}section table{table-layout:fixed}section th:first-child{width:30%}section th:nth-child(2){width:30%}section details th:nth-child(2),section details th:nth-child(3){width:9%}th,td{text-align:left;vertical-align:top;padding:5px 8px;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
code{font:13px ui-monospace,monospace;background:var(--soft);padding:1px 4px;border-radius:3px}summary{cursor:pointer;margin-top:12px}
@media(max-width:760px){body{display:block}nav{position:static;height:auto}main{padding:20px}}`

/** What a page may do: show its own style, and nothing else. Whatever slipped into a text could neither run nor load anything. */
export const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function navigation(sections: readonly NavSection[], current: string): string {
  const link = ({ path, title }: NavSection['links'][number]) =>
    `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`
  return sections.map(({ title, links }) => `<h2>${escapeHtml(title)}</h2>${links.map(link).join('')}`).join('')
}

/** A page of the site. No scripts, no other hosts: it works offline and under any content policy. */
export function shell(page: {
  readonly path: string
  readonly title: string
  readonly main: string
  readonly version: string
  readonly sections: readonly NavSection[]
}): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(page.title)} - Tallystick ${escapeHtml(page.version)}</title><style>${style}</style></head><body>
<nav><b><a href="/docs">Tallystick</a></b>${navigation(page.sections, page.path)}</nav>
<main>${page.main}</main></body></html>`
}
