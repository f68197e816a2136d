/** Bodies of the right form, by operation. */
export const registersBodies: Record<string, Record<string, unknown>> = {
  setIdentityGates: { borrowerRegistry: `0x${'5'.repeat(40)}` },
}
