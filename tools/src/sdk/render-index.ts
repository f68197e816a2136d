import type { ReadOperation } from './document.ts'
import { type commonRefusals, commonRefusalsText } from './refusals.ts'
import { BANNER, kebab } from './render-operation.ts'
import { pascal } from './shared-types.ts'

/** What stands above the tags: the client's groups, the types for callers, and the codes that all have in common. */
export function indexFiles(
  tags: readonly string[],
  operations: readonly ReadOperation[],
  common: ReturnType<typeof commonRefusals>,
): [path: string, text: string][] {
  const withSurfaces = tags.filter((tag) => operations.some((one) => one.tag === tag && one.surfaces.length > 0))
  const groups = tags.map((tag) => {
    const surface = withSurfaces.includes(tag) ? `, type ${pascal(tag)}Surface` : ''
    return `import { ${tag}Operations, type ${pascal(tag)}Methods${surface} } from './${tag}/methods.ts'\n`
  })
  const client = `${BANNER}${groups.join('')}
export interface Groups {
${tags.map((tag) => `  readonly ${tag}: ${pascal(tag)}Methods\n`).join('')}}

/** Which of its prefixes a group uses where a call does not say. */
export interface Surfaces {
${withSurfaces.map((tag) => `  readonly ${tag}?: ${pascal(tag)}Surface\n`).join('')}}

export const groups = { ${tags.map((tag) => `${tag}: ${tag}Operations`).join(', ')} }
`
  const types = operations
    .map(({ tag, id }) => `export type { ${pascal(id)} } from './${tag}/${kebab(id)}.ts'\n`)
    .sort()
  return [
    ['groups.ts', client],
    ['operations.ts', BANNER + types.join('')],
    ['refusals.ts', `${BANNER}import type { Refusal } from '../operation.ts'\n\n${commonRefusalsText(common)}`],
  ]
}
