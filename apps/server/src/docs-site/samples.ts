import { inspect } from 'node:util'
import type { Operation } from '@tallystick/wire'
import type { Example } from '../platform/http/openapi/examples.ts'

/** A path that has the form of the template, with the values of its parameters. */
function paramsOf(template: string, path: string): Record<string, string> {
  const form = new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]*)')}$`)
  return { ...form.exec(path)?.groups }
}

/** As a shell takes it between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request of an example, for a shell with `$URL` and `$KEY`. */
export function curlSample({ method, stream, files }: Operation, { path, body }: Example): string {
  const words = [
    `curl -s${stream ? 'N' : ''}${files ? 'OJ' : ''}${method === 'GET' ? '' : ` -X ${method}`} "$URL${path}"`,
    `-H "X-API-Key: $KEY"`,
    ...(method === 'GET' ? [] : [`-H "Idempotency-Key: $(uuidgen)"`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return words.join(' \\\n  ')
}

const literal = (value: unknown): string => inspect(value, { depth: null, breakLength: 96, compact: 3 })

/** The same call through the client; a write on chain with all that follows. */
export function typescriptSample(operation: Operation, example: Example): string {
  const { id, feature, legs, stream } = operation
  const [path = '', query] = example.path.split('?')
  const params = paramsOf(operation.path, path)
  const request = {
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(query ? { query: Object.fromEntries(new URLSearchParams(query)) } : {}),
    ...(example.body === undefined ? {} : { body: example.body }),
  }
  const method = `tally.${feature}.${id}`
  const given = Object.keys(request).length > 0 ? literal(request) : ''
  if (stream) {
    const follow = /Book$/.test(id) ? 'followBook' : 'followEvents'
    return `for await (const next of ${follow}(${method}, ${given || '{}'})) console.log(next)`
  }
  if (legs.build) return `const { confirmed } = await signAndConfirm(${method}, ${given || '{}'}, wallet)`
  return `const { data } = await ${method}(${given})`
}
