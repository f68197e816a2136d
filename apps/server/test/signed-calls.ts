import { callsIn, descriptorOf, disagreements, render, signedContracts } from '../src/clear-signing/index.ts'

const descriptors = signedContracts.map(descriptorOf)

/**
 * Holds every call of an answer against the descriptors that wallets are served: one of them knows the function, the answer calls it by the
 * same name, and its description says nothing that the call does not carry. A creation has no function to describe.
 */
export function assertDescribed(operation: string, data: unknown): void {
  for (const { to, data: callData, functionName, description, signer, at } of callsIn(data)) {
    if (to === null) continue
    const call = { to, data: callData, ...(signer ? { from: signer } : {}) }
    const rendered = descriptors.flatMap((descriptor) => render(descriptor, call) ?? [])
    const complain = (fault: string) => {
      throw new Error(`${operation}, ${at}: ${fault}`)
    }
    if (rendered.length === 0) complain(`no descriptor knows ${functionName ?? callData.slice(0, 10)}`)
    if (functionName !== null && !rendered.some((one) => one.functionName === functionName))
      complain(`it is called ${functionName}, but the call is ${rendered[0]?.functionName}`)
    if (description === null) continue
    const faults = rendered.map((one) => disagreements(description, call, one))
    if (faults.every((found) => found.length > 0))
      complain(
        `"${description}" against "${rendered[0]?.sentence}": ${faults[0]?.map(({ about, said }) => `the ${about} ${said}`).join(', ')}`,
      )
  }
}
