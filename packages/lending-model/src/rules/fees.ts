import { bps, divideDown, lesser } from './arithmetic.ts'

const infrastructureBps = 1_500n
const operatorBps = 800n
const distributorBps = 500n
/** A flat fee is at most 0.5 %, the 200th part, of the amount it is charged on. */
const flatFeeDivisor = 200n
/** All of the interest, in the scale of insurance parts; a rate of 10,000 bps. */
const wholePart = 10n ** 12n

export interface InterestParts {
  infrastructure: bigint
  operator: bigint
  distributor: bigint
  insurance: bigint
  providers: bigint
}

/** Every fee floors; the providers take the rest. */
export function splitInterestDown(interest: bigint, insurancePart: bigint): InterestParts {
  const infrastructure = divideDown(interest * infrastructureBps, bps)
  const remainder = interest - infrastructure
  const operator = divideDown(remainder * operatorBps, bps)
  const distributor = divideDown(remainder * distributorBps, bps)
  const left = remainder - operator - distributor
  const insurance = divideDown(left * insurancePart, wholePart)
  return { infrastructure, operator, distributor, insurance, providers: left - insurance }
}

/** What providers may count on of interest that is not paid yet: no leg has been rounded in their favour. */
export function providersPartDown(interest: bigint, insurancePart: bigint): bigint {
  const afterInfrastructure = bps - infrastructureBps
  const afterShares = bps - operatorBps - distributorBps
  return divideDown(interest * afterInfrastructure * afterShares * (wholePart - insurancePart), bps ** 2n * wholePart)
}

/** The insurance part of interest that accrued at several rates: their mean. */
export function meanPartDown(part: bigint, booked: bigint, insuranceBps: bigint, earned: bigint): bigint {
  if (booked + earned === 0n) return part
  return divideDown(part * booked + (insuranceBps * wholePart * earned) / bps, booked + earned)
}

export function splitFlatFeeDown(fee: bigint): Omit<InterestParts, 'insurance' | 'providers'> {
  const operator = divideDown(fee * operatorBps, bps)
  const distributor = divideDown(fee * distributorBps, bps)
  return { infrastructure: fee - operator - distributor, operator, distributor }
}

export function flatFeeDown(flatFee: bigint, amount: bigint): bigint {
  return lesser(flatFee, divideDown(amount, flatFeeDivisor))
}

export interface Payment {
  paid: bigint
  discharged: bigint
  fee: bigint
}

/** A payment pays its fee first, at most a 201st part of itself; nobody pays more than closes the loan. */
export function measurePayment(flatFee: bigint, debt: bigint, offered: bigint): Payment {
  const closingFee = flatFeeDown(flatFee, debt)
  if (offered >= debt + closingFee) return { paid: debt + closingFee, discharged: debt, fee: closingFee }
  const fee = lesser(flatFee, divideDown(offered, flatFeeDivisor + 1n))
  const discharged = lesser(offered - fee, debt)
  return { paid: offered, discharged, fee: offered - discharged }
}
