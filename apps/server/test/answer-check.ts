import { type Operation, operations } from '@tallystick/wire'
import { legOf } from '../src/platform/http/answer.ts'
import { plainDocument } from '../src/platform/http/openapi/describe.ts'
import { noteAnswer } from './answered-fields.ts'
import { assertDocumented } from './conformance.ts'
import { recordExample } from './recorded-examples.ts'
import { assertDescribed } from './signed-calls.ts'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

export interface Answered {
  readonly status: number
  readonly type: string
  /** Parsed; undefined where the answer was no JSON. */
  readonly body: unknown
}

export type AnswerCheck = (asked: Asked, answered: Answered) => void

let wholeDocument: ReturnType<typeof plainDocument> | undefined

/** Describing every operation takes longer than most tests. */
function documentOf(listed: readonly Operation[]): ReturnType<typeof plainDocument> {
  if (listed.length > operations.length) return plainDocument('test', listed)
  wholeDocument ??= plainDocument('test', listed)
  return wholeDocument
}

/** Paths that serve machines and people, not callers: they belong to no operation. */
const BESIDE = /^\/(demo\/api|docs|openapi\.json|healthz|readyz|\.well-known\/erc7730)?(\/|$)/

/** Requests with one method and as many parts: looked through all together, the paths of the product take longer than a check. */
const shelfOf = (method: string, path: string): string => `${method} ${path.split('/').length}`

function templatesOf(listed: readonly Operation[]): Map<string, { operation: Operation; form: RegExp }[]> {
  const templates = listed
    .flatMap((operation) => [operation.path, ...(operation.alsoAt ?? [])].map((template) => ({ operation, template })))
    // A path without parameters comes first: it may have the form of another one.
    .toSorted((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')))
  const shelves = new Map<string, { operation: Operation; form: RegExp }[]>()
  for (const { operation, template } of templates) {
    const form = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]*')}$`)
    const shelf = shelfOf(operation.method, template)
    shelves.set(shelf, [...(shelves.get(shelf) ?? []), { operation, form }])
  }
  return shelves
}

const templatesOfAll = templatesOf(operations)

/** A file for a Safe is an answer too, and not the one that an operation is shown with. */
const isEnvelope = (body: unknown) => (body as { success?: unknown } | undefined)?.success === true

/** Fails on any answer that the served document does not promise or whose calls no descriptor explains, and notes which fields it held. */
export function createAnswerCheck(listed: readonly Operation[] = operations): AnswerCheck {
  const templates = listed.length > operations.length ? templatesOf(listed) : templatesOfAll
  let document: ReturnType<typeof plainDocument> | undefined
  return ({ method, path, body: sent }, { status, type, body }) => {
    const [plain = ''] = path.split('?')
    const operation = templates.get(shelfOf(method, plain))?.find((one) => one.form.test(plain))?.operation
    if (!operation) {
      if (status < 400 && !BESIDE.test(plain))
        throw new Error(`${method} ${plain} answered ${status}, documented nowhere`)
      return
    }
    if (!type.startsWith('application/json')) {
      const types = operation.stream
        ? ['text/event-stream']
        : [...(operation.files ?? []), ...(operation.csv ? ['text/csv'] : [])]
      if (status !== 200 || !types.includes(type.split(';')[0] ?? ''))
        throw new Error(`${operation.id} answered ${status} as ${type}, which its documentation does not list`)
      if (operation.files) recordExample({ operation: operation.id, leg: legOf(operation, sent), path })
      return
    }
    document ??= documentOf(listed)
    assertDocumented(document, operation.id, status, body)
    const leg = legOf(operation, sent)
    // What waits for a second person is the same for every build, and shows none of them.
    if (status === 202) return
    noteAnswer(operation.id, leg, body)
    // What a test mounts besides is no call of the product's contracts.
    if (status < 300 && operations.includes(operation)) assertDescribed(operation.id, (body as { data?: unknown }).data)
    if (isEnvelope(body)) recordExample({ operation: operation.id, leg, path, body: sent, answer: body })
  }
}
