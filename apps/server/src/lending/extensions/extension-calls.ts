import { at } from '../core/index.ts'

export const proposeCall = at('market', 'proposeExtension', 'ExtensionProposed')
export const confirmCall = at('market', 'confirmExtension', 'ExtensionConfirmed')
export const applyCall = at('market', 'applyExtension', 'ExtensionApplied')
/** The last page ends the batch, also when it moves no loan. */
export const completeCall = at('market', 'applyExtension', 'ExtensionCompleted')
export const cancelCall = at('market', 'cancelExtension', 'ExtensionCancelled')
