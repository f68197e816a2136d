import type { LegBodyOf, LegCodeOf, LegDataOf, LegSpec, OrdinaryOperation } from '@tallystick/wire'
import { type AppCode, type Refuse, refuse } from '../app-error.ts'
import { legOf } from './answer.ts'
import { type Call, type Result, type Route, route } from './route.ts'

/** An operation that builds a transaction. */
export interface Building extends OrdinaryOperation {
  readonly legs: { readonly build: LegSpec }
}

/** An operation that confirms one. */
export interface Confirming extends OrdinaryOperation {
  readonly legs: { readonly confirm: LegSpec }
}

/** An operation that does both, on one path. */
export interface TwoLegged extends Building, Confirming {
  readonly legs: { readonly build: LegSpec; readonly confirm: LegSpec }
}

type WriteLeg = 'build' | 'confirm'

/** One leg of it: a body with that leg's fields, and refusals with that leg's codes. */
export interface LegCall<O extends OrdinaryOperation, L extends WriteLeg> extends Omit<Call<O>, 'body'> {
  readonly body: LegBodyOf<O, L>
  readonly refuse: Refuse<LegCodeOf<O, L> & AppCode>
}

export interface Legs<O extends TwoLegged> {
  build(call: LegCall<O, 'build'>): Promise<Result<LegDataOf<O, 'build'>>>
  confirm(call: LegCall<O, 'confirm'>): Promise<Result<LegDataOf<O, 'confirm'>>>
}

/** Binds both legs to their operation; which one a request is on, its body tells. */
export function legsRoute<O extends TwoLegged>(operation: O, legs: Legs<O>): Route {
  return route(operation as OrdinaryOperation, (call) => {
    const asked = { ...call, refuse }
    // The door has held the body against the schema of this very leg.
    return legOf(operation, call.body) === 'confirm'
      ? legs.confirm(asked as unknown as LegCall<O, 'confirm'>)
      : legs.build(asked as unknown as LegCall<O, 'build'>)
  })
}

/** The same where an operation has one leg, and the other is an operation of its own. */
export const legRoute = <O extends OrdinaryOperation, L extends WriteLeg>(
  operation: O,
  handle: (call: LegCall<O, L>) => Promise<Result<LegDataOf<O, L>>>,
): Route => route(operation as OrdinaryOperation, (call) => handle({ ...call, refuse } as unknown as LegCall<O, L>))
