/** Bodies of the right form, by operation. */
export const watchBodies: Record<string, Record<string, unknown>> = {
  createHook: { name: 'plausible', kind: 'HEALTH_BELOW', threshold: '1.2', url: 'https://hooks.example.com/tally' },
  updateHook: { name: 'plausible' },
  toggleHook: { active: false },
}
