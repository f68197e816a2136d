/** One thing that was looked at. */
export interface Advice {
  readonly state: 'ok' | 'warning' | 'wrong'
  /** The part of the deployment. */
  readonly about: string
  readonly says: string
  /** What to do about it; null: nothing. */
  readonly todo: string | null
}

export const well = (about: string, says: string): Advice => ({ state: 'ok', about, says, todo: null })
export const warning = (about: string, says: string, todo: string): Advice => ({ state: 'warning', about, says, todo })
export const wrong = (about: string, says: string, todo: string): Advice => ({ state: 'wrong', about, says, todo })

/** What was found, or that all is well where nothing was. */
export const orWell = (found: readonly Advice[], about: string, says: string): readonly Advice[] =>
  found.length > 0 ? found : [well(about, says)]
