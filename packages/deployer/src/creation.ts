import { type Address, concatHex, getCreate2Address, type Hex, keccak256, stringToHex } from 'viem'

/** The deterministic deployment proxy: the same on every chain, belongs to nobody, creates what its caller hands it. */
export const DEPLOYMENT_PROXY: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** One for all, but for contracts of the same creation code, which have to differ in something. */
const saltOf = (twin: string): Hex => keccak256(stringToHex(twin === '' ? 'tallystick' : `tallystick ${twin}`))

// The hash of a whole contract takes a while, and a suite is planned more than once.
const known = new Map<string, Address>()

/** Depends on the creation code alone, not on who sends it. */
export function addressOfCreation(creation: Hex, twin = ''): Address {
  const key = `${twin} ${creation}`
  const found = known.get(key)
  if (found) return found
  const address = getCreate2Address({ from: DEPLOYMENT_PROXY, salt: saltOf(twin), bytecode: creation })
  const lowercased = address.toLowerCase() as Address
  known.set(key, lowercased)
  return lowercased
}

export const creationCall = (creation: Hex, twin = ''): Hex => concatHex([saltOf(twin), creation])
