export const DAY_MS = 86_400_000

export const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)
