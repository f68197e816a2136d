import type { Operation } from '@tallystick/wire'

export type { Example, Examples } from '../../../apps/server/src/platform/http/openapi/examples.ts'

/** A path that has the form of a template, with the values of its parameters. */
export const formOf = (template: string): RegExp => new RegExp(`^${template.replace(/\{(\w+)\}/g, '(?<$1>[^/]*)')}$`)

/** Whether it was called under the path that the operation is documented at first. */
export const isOnMainPath = ({ path }: Operation, called: string): boolean =>
  formOf(path).test(called.split('?')[0] ?? '')
