import { createHash } from 'node:crypto'

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export interface NavSection {
  readonly title: string
  readonly links: readonly { readonly path: string; readonly title: string }[]
}

const light = '--ink:#1b1f24;--paper:#fff;--soft:#f4f5f7;--line:#d9dde3;--accent:#8a5a12'
const dark = '--ink:#e6e8eb;--paper:#15181c;--soft:#1e2228;--line:#333a43;--accent:#e0ab5a'

/**
 * Narrow: the menu is folded behind its button, and a row of a table with many columns is a list. Other wide tables scroll in their own
 * frame, so that no column is pressed together.
 */
const style = `
:root{color-scheme:light dark;${light}}
@media(prefers-color-scheme:dark){:root{${dark}}}
:root[data-theme=light]{color-scheme:light;${light}}:root[data-theme=dark]{color-scheme:dark;${dark}}
*{box-sizing:border-box}html{scroll-padding-top:64px}body{margin:0;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);display:grid;grid-template-columns:260px minmax(0,1fr)}
[hidden]{display:none!important}button,input{font:inherit;color:inherit}a{color:var(--accent)}
header{position:sticky;top:0;z-index:2;grid-column:1/-1;height:52px;display:flex;align-items:center;gap:12px;padding:0 16px;background:var(--soft);border-bottom:1px solid var(--line)}
header b a{font-size:17px;color:inherit;text-decoration:none}header form{position:relative;margin-left:auto;flex:0 1 360px}
header input[type=search]{width:100%;padding:5px 10px;border:1px solid var(--line);border-radius:6px;background:var(--paper)}
#results{position:absolute;right:0;top:42px;width:min(560px,calc(100vw - 24px));max-height:70vh;overflow:auto;margin:0;padding:6px;list-style:none;background:var(--paper);border:1px solid var(--line);border-radius:8px;box-shadow:0 8px 30px #0003}
#results a{display:block;padding:7px 9px;border-radius:5px;color:inherit;text-decoration:none;overflow-wrap:anywhere}#results a:hover,#results a:focus{background:var(--soft)}#results small{color:var(--accent)}#results span{display:block;font-size:13px;opacity:.75}
.button,#theme{padding:4px 10px;border:1px solid var(--line);border-radius:6px;background:var(--paper);cursor:pointer}
#menu{position:absolute;opacity:0;pointer-events:none}.button{display:none}#menu:focus-visible+header .button{outline:2px solid var(--accent)}
nav{position:sticky;top:52px;height:calc(100vh - 52px);overflow:auto;padding:12px 16px 40px;background:var(--soft);border-right:1px solid var(--line)}
nav a{display:block;padding:3px 8px;color:inherit;text-decoration:none;border-radius:4px}nav a:hover,nav a[aria-current]{background:var(--line)}nav a[aria-current]{font-weight:600}
nav summary{font-size:12px;text-transform:uppercase;letter-spacing:.08em;margin:14px 0 6px;padding:0 8px;color:var(--accent);cursor:pointer}
main{padding:32px 40px;max-width:1100px;overflow-wrap:break-word}main p,main>ul:not(.index),main>ol{max-width:84ch}section,.index{border-top:1px solid var(--line);padding:20px 0}
h1{margin:0 0 4px}main h2{margin:28px 0 8px;font-size:20px}main h2+*,main h3+*{margin-top:6px}h3{margin:0 0 4px;font-size:19px}h4{margin:16px 0 6px;font-size:13px;color:var(--accent)}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:12px 14px;overflow:auto}pre code{background:none;padding:0;overflow-wrap:normal}
.code{position:relative}.copy{position:absolute;top:6px;right:6px;padding:1px 8px;font-size:12px;border:1px solid var(--line);border-radius:5px;background:var(--paper);cursor:pointer;opacity:.4}.code:hover .copy,.copy:focus{opacity:1}
figure{margin:20px 0;overflow:auto}figure svg{max-width:100%;min-width:560px;height:auto}figure img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:8px}.index{columns:2;font-size:14px;padding:14px 0 14px 20px}
.route b{color:var(--accent)}.route span{float:right;font-size:13px;opacity:.75}.table{overflow-x:auto}th.right,td.right{text-align:right}th.center,td.center{text-align:center}
table{border-collapse:collapse;width:100%;font-size:13.5px}th,td{text-align:left;vertical-align:top;padding:5px 8px;border-bottom:1px solid var(--line);min-width:90px;max-width:520px}td:first-child code{white-space:nowrap}
section table{table-layout:fixed;min-width:620px}section td{overflow-wrap:anywhere}section td:first-child code{white-space:normal}section th:first-child{width:30%}section th:nth-child(2){width:30%}section .errors th:nth-child(2),section .errors th:nth-child(3){width:9%}
code{font:13px ui-monospace,monospace;background:var(--soft);padding:1px 4px;border-radius:3px;overflow-wrap:anywhere}main summary{cursor:pointer;margin-top:12px}
@media(max-width:760px){body{display:block}.button{display:block}nav{display:none;position:static;height:auto;border:0;border-bottom:1px solid var(--line)}#menu:checked~nav{display:block}main{padding:20px}.index{columns:1}header{gap:8px;padding:0 10px}#results{position:fixed;left:8px;right:8px;top:54px;width:auto}td:first-child code{white-space:normal}.code pre{padding-top:36px}.copy{opacity:1}}
@media(max-width:560px){.many,.many tbody,.many tr{display:block;min-width:0}.many thead,.many td:empty{display:none}.many tr{padding:8px 0;border-bottom:1px solid var(--line)}.many td,.many td.right,.many td.center{display:block;border:0;padding:1px 0;max-width:none;text-align:left}.many td[data-label]::before{content:attr(data-label) ": ";opacity:.7}section .many td{display:inline;padding-right:10px}section .many td:last-child{display:block}section .many td:empty{display:none}}`

/** What a page may do: show its own style, run our own script, ask this service. What slipped into a text could neither run nor load anything. */
export const contentPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

function navigation(sections: readonly NavSection[], current: string): string {
  const link = ({ path, title }: NavSection['links'][number]) =>
    `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`
  return sections
    .map(({ title, links }, place) => {
      const isOpen = place === 0 || links.some(({ path }) => path === current)
      return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary>${links.map(link).join('')}</details>`
    })
    .join('')
}

/** A page of the site. It works without its script, offline, and loads nothing from other hosts. */
export function shell(page: {
  readonly path: string
  readonly title: string
  readonly main: string
  readonly version: string
  readonly sections: readonly NavSection[]
}): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(page.title)} - Tallystick ${escapeHtml(page.version)}</title><style>${style}</style><script src="/docs/site.js" defer></script></head><body>
<input type="checkbox" id="menu" aria-label="Menu"><header><label class="button" for="menu">Menu</label><b><a href="/docs">Tallystick</a></b>
<form role="search"><input type="search" id="search" placeholder="Search  /" aria-label="Search" autocomplete="off" hidden><ul id="results" hidden></ul></form>
<button type="button" id="theme" aria-label="Light or dark" hidden>◐</button></header>
<nav>${navigation(page.sections, page.path)}</nav>
<main>${page.main}</main></body></html>`
}
