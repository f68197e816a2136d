/** Where a build is confirmed: on the same route. */
export const confirmAt = (path: string) => ({
  endpoint: `/customers/api/identity${path}`,
  field: 'txHash' as const,
})
