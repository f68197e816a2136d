import { codesOf, type Operation } from '@tallystick/wire'
import type { Example, Examples } from '../platform/http/openapi/examples.ts'
import { curlSample, typescriptSample } from './samples.ts'
import { escapeHtml } from './shell.ts'

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
  const cells = head.map((cell) => `<th>${cell}</th>`).join('')
  return `<h4>${title}</h4><div class="table"><table class="many"><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table></div>`
}

function errorRows(operation: Operation): string {
  return codesOf(operation)
    .map(({ leg, code, table: specs }) => {
      const spec = specs[code]
      return `<tr><td><code>${code}</code></td><td>${spec?.status}</td><td>${leg}</td><td>${prose(spec?.message ?? '')}${spec?.retry ? ' <i>Retry.</i>' : ''}</td></tr>`
    })
    .join('')
}

const code = (text: string): string => `<pre><code>${escapeHtml(text)}</code></pre>`

/** How it is called and what it answers, as a test saw it. */
function samples(operation: Operation, legs: Readonly<Record<string, Example>>): string {
  const [first] = Object.values(legs)
  if (!first) return ''
  const answers = Object.entries(legs).flatMap(([leg, { answer, body }]) => {
    if (answer === undefined) return []
    const asked = leg === 'confirm' ? `<h4>Body (confirm)</h4>${code(JSON.stringify(body, null, 2))}` : ''
    return [`${asked}<h4>Answer (${leg})</h4>${code(JSON.stringify(answer, null, 2))}`]
  })
  const calls = `<h4>curl</h4>${code(curlSample(operation, first))}<h4>TypeScript</h4>${code(typescriptSample(operation, first))}`
  return `<details><summary>Example</summary>${calls}${answers.join('')}</details>`
}

function section(operation: Operation, examples: Examples): string {
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
${samples(operation, examples[operation.id] ?? {})}
<details class="errors"><summary>Errors</summary>${table('', errorRows(operation), ['Code', 'HTTP', 'Leg', 'Meaning'])}</details>
</section>`
}

/** The operations of one feature: without scripts, so that it works offline and under any content policy. */
export function referenceOf(feature: string, operations: readonly Operation[], examples: Examples = {}): string {
  const own = operations.filter((operation) => operation.feature === feature)
  const links = own.map(({ id, summary }) => `<li><a href="#${id}">${prose(summary)}</a></li>`).join('')
  return `<h1>Reference: ${escapeHtml(feature)}</h1><p>Send your key as <code>X-API-Key</code>. Every answer has <code>success</code>; on success
<code>data</code>, on failure <code>error.code</code> and <code>error.message</code>. Writes take an <code>Idempotency-Key</code>.
Machine-readable: <a href="/openapi.json">/openapi.json</a>.</p><ul class="index">${links}</ul>
${own.map((operation) => section(operation, examples)).join('\n')}`
}

export const featuresOf = (operations: readonly Operation[]): string[] => [
  ...new Set(operations.map(({ feature }) => feature)),
]
