// What a signer is shown of a call, for whoever checks one.
export {
  type AnsweredCall,
  addressesIn,
  callsIn,
  type Descriptor,
  descriptorOf,
  disagreements,
  isOfKnownToken,
  type Rendered,
  render,
  signedContracts,
  type TokenFacts,
} from './clear-signing/index.ts'
