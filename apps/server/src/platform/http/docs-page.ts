import { codesOf, type Operation } from '@tallystick/wire'

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** `code` in backticks becomes <code>, everything else stays plain text. */
function prose(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

interface SchemaNode {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: SchemaNode[]
  items?: SchemaNode
  properties?: Record<string, SchemaNode>
  required?: string[]
  description?: string
}

function typeName(schema: SchemaNode): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' | ')
  if (schema.type === 'array') return `array of ${typeName(schema.items ?? {})}`
  return schema.type ?? 'any'
}

function objectOf(schema: SchemaNode): SchemaNode | undefined {
  if (schema.properties) return schema
  const inner = schema.items ?? schema.anyOf?.find((one) => objectOf(one))
  return inner ? objectOf(inner) : undefined
}

function fieldRows(schema: SchemaNode, prefix = ''): string {
  const object = objectOf(schema)
  return Object.entries(object?.properties ?? {})
    .map(([name, field]) => {
      const optional = object?.required?.includes(name) ? '' : ' <i>optional</i>'
      const row = `<tr><td><code>${prefix}${escapeHtml(name)}</code>${optional}</td><td>${escapeHtml(typeName(field))}</td><td>${prose(field.description ?? '')}</td></tr>`
      return row + (prefix.length < 24 ? fieldRows(field, `${prefix}${escapeHtml(name)}.`) : '')
    })
    .join('')
}

function table(title: string, rows: string, head: readonly string[]): string {
  if (!rows) return ''
  return `<h4>${title}</h4><table><thead><tr>${head.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>${rows}</tbody></table>`
}

function errorRows(operation: Operation): string {
  return codesOf(operation)
    .map(({ leg, code, table: specs }) => {
      const spec = specs[code]
      return `<tr><td><code>${code}</code></td><td>${spec?.status}</td><td>${leg}</td><td>${prose(spec?.message ?? '')}${spec?.retry ? ' <i>Retry.</i>' : ''}</td></tr>`
    })
    .join('')
}

function section(operation: Operation): string {
  const fields = ['Field', 'Type', 'Meaning']
  const answers = Object.entries(operation.legs)
    .map(([leg, { data }]) => table(`Answer (${leg})`, fieldRows(data as SchemaNode), fields))
    .join('')
  return `<section id="${operation.id}">
<h3>${prose(operation.summary)}</h3>
<p class="route"><b>${operation.method}</b> <code>${escapeHtml(operation.path)}</code> <span>scope ${operation.scope}</span></p>
<p>${prose(operation.description ?? '')}</p>
${table('Path', fieldRows((operation.params ?? {}) as SchemaNode), fields)}
${table('Query', fieldRows((operation.query ?? {}) as SchemaNode), fields)}
${table('Body', fieldRows((operation.body ?? {}) as SchemaNode), fields)}
${answers}
${table('Beside data: pagination', fieldRows((operation.pagination ?? {}) as SchemaNode), fields)}
<details><summary>Errors</summary>${table('', errorRows(operation), ['Code', 'HTTP', 'Leg', 'Meaning'])}</details>
</section>`
}

const style = `
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#f4f5f7;--line:#d9dde3;--accent:#8a5a12}
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#15181c;--soft:#1e2228;--line:#333a43;--accent:#e0ab5a}}
*{box-sizing:border-box}body{margin:0;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);display:grid;grid-template-columns:250px minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:24px 16px;background:var(--soft);border-right:1px solid var(--line)}
nav a{display:block;padding:3px 8px;color:inherit;text-decoration:none;border-radius:4px}nav a:hover{background:var(--line)}
nav h2{font-size:12px;text-transform:uppercase;letter-spacing:.08em;margin:20px 8px 6px;color:var(--accent)}
main{padding:32px 40px;max-width:1000px}section{border-top:1px solid var(--line);padding:20px 0}
h1{margin:0 0 4px}h3{margin:0 0 4px;font-size:19px}h4{margin:16px 0 6px;font-size:13px;color:var(--accent)}
.route b{color:var(--accent)}.route span{float:right;font-size:13px;opacity:.75}
table{border-collapse:collapse;width:100%;font-size:13.5px;table-layout:fixed}th:first-child{width:30%}th:nth-child(2){width:30%}details th:nth-child(2),details th:nth-child(3){width:9%}th,td{text-align:left;vertical-align:top;padding:5px 8px;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
code{font:13px ui-monospace,monospace;background:var(--soft);padding:1px 4px;border-radius:3px}summary{cursor:pointer;margin-top:12px}
@media(max-width:760px){body{display:block}nav{position:static;height:auto}main{padding:20px}}`

/** The API reference as one page without scripts: it works offline and under any content policy. */
export function docsPage(operations: readonly Operation[], version: string): string {
  const features = [...new Set(operations.map(({ feature }) => feature))]
  const links = (feature: string) =>
    operations
      .filter((operation) => operation.feature === feature)
      .map(({ id, summary }) => `<a href="#${id}">${prose(summary)}</a>`)
      .join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Tallystick API ${escapeHtml(version)}</title><style>${style}</style></head><body>
<nav><b>Tallystick</b>${features.map((feature) => `<h2>${feature}</h2>${links(feature)}`).join('')}</nav>
<main><h1>Tallystick API</h1><p>Version ${escapeHtml(version)}. Send your key as <code>X-API-Key</code>. Every answer has <code>success</code>; on success
<code>data</code>, on failure <code>error.code</code> and <code>error.message</code>. Writes take an <code>Idempotency-Key</code>.
Machine-readable: <a href="/openapi.json">/openapi.json</a>.</p>
${operations.map(section).join('\n')}</main></body></html>`
}
