import { type Address, concatHex, getCreate2Address, type Hex, keccak256, stringToHex } from 'viem'

/** The deterministic deployment proxy: the same on every chain, belongs to nobody, creates what its caller hands it. */
export const DEPLOYMENT_PROXY: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** One for all, but for contracts of the same creation code, which have to differ in something. */
const saltOf = (twin: string): Hex => keccak256(stringToHex(twin === '' ? 'tallystick' : `tallystick ${twin}`))

/** Depends on the creation code alone, not on who sends it. */
export function addressOfCreation(creation: Hex, twin = ''): Address {
  return getCreate2Address({ from: DEPLOYMENT_PROXY, salt: saltOf(twin), bytecode: creation }).toLowerCase() as Address
}

export const creationCall = (creation: Hex, twin = ''): Hex => concatHex([saltOf(twin), creation])
