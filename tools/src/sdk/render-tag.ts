import type { ReadOperation } from './document.ts'
import { BANNER, kebab, operationText, type Surroundings, shapeOf, surfaceType } from './render-operation.ts'
import { pascal, sharedTypes } from './shared-types.ts'
import { bodyText, comment, quoted, spaced } from './type-text.ts'

type File = [path: string, text: string]

const METHODS: Readonly<Record<string, string>> = {
  PlainShape: 'Method',
  BuildShape: 'BuildMethod',
  TwoLegShape: 'TwoLegMethod',
  FileShape: 'FileMethod',
  StreamShape: 'StreamMethod',
}

function sharedText({ types, nameOf }: ReturnType<typeof sharedTypes>): string {
  const bodies = types.map(({ name, schema }) => {
    // The type itself is written out; everything inside that has a name is named.
    const inside: typeof nameOf = (one) => (one === schema ? undefined : nameOf(one))
    return `${comment(schema.description, 0)}export interface ${name} ${bodyText(schema, 0, inside)}\n`
  })
  const scalars = ['Address', 'Hex'].filter((name) => bodies.some((text) => text.includes(`: ${name}`)))
  const imports = scalars.length > 0 ? `import type { ${scalars.join(', ')} } from '../../operation.ts'\n` : ''
  return `${BANNER}${imports}\n// Names here may change with the next version; operations and their fields do not.\n\n${bodies.join('\n')}`
}

function specText({ id, method, path, surfaces, outcome }: ReadOperation): string {
  const more = [
    surfaces.length > 0 ? `surfaces: [${surfaces.map(quoted).join(', ')}]` : '',
    outcome.form === 'build' && outcome.confirmed ? `confirmedBy: ${quoted(outcome.confirmedBy)}` : '',
    outcome.form === 'file' || outcome.form === 'stream' ? `answers: ${quoted(outcome.form)}` : '',
  ].filter((one) => one !== '')
  return `  ${id}: { id: ${quoted(id)}, method: ${quoted(method)}, path: ${quoted(path)}${more.map((one) => `, ${one}`).join('')} },\n`
}

function methodsText(tag: string, operations: readonly ReadOperation[]): string {
  const kinds = [...new Set(operations.map((one) => METHODS[shapeOf(one)] ?? ''))].sort()
  const surfaces = [...new Set(operations.flatMap((one) => one.surfaces))].sort()
  const imports = operations.map(({ id }) => `import type { ${pascal(id)} } from './${kebab(id)}.ts'\n`).sort()
  const methods = operations.map(
    (one) => `${comment(one.words, 1)}  readonly ${one.id}: ${METHODS[shapeOf(one)]}<${pascal(one.id)}>\n`,
  )
  const surface = surfaces.length > 0 ? `\nexport type ${pascal(tag)}Surface =${spaced(surfaceType(surfaces))}\n` : ''
  return `${BANNER}import type { ${kinds.join(', ')} } from '../../method.ts'
import type { OperationSpec } from '../../operation.ts'
${imports.join('')}
export interface ${pascal(tag)}Methods {
${methods.join('')}}
${surface}
export const ${tag}Operations: Readonly<Record<keyof ${pascal(tag)}Methods, OperationSpec>> = {
${operations.map(specText).join('')}}
`
}

/** The folder of one tag: a file per operation, what they share, and the table that the client is made of. */
export function tagFiles(
  tag: string,
  operations: readonly ReadOperation[],
  around: Omit<Surroundings, 'nameOf'>,
): File[] {
  const shared = sharedTypes(operations, new Set([...around.byId.keys()].map(pascal)))
  const surroundings = { ...around, nameOf: shared.nameOf }
  const names = shared.types.map(({ name }) => name)
  return [
    ...operations.map((one): File => [`${tag}/${kebab(one.id)}.ts`, operationText(one, surroundings)]),
    ...(names.length > 0 ? [[`${tag}/shared.ts`, sharedText(shared)] satisfies File] : []),
    [`${tag}/methods.ts`, methodsText(tag, operations)],
  ]
}
