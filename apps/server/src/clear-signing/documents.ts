import type { Descriptor } from './descriptor.ts'

/** Where the documents are served. */
export const PLACE = '/.well-known/erc7730'

/** Which descriptor explains which contract. */
export function indexOf(descriptors: readonly Descriptor[]) {
  return {
    standard: 'ERC-7730',
    schema: `${PLACE}/schema.json`,
    descriptors: descriptors.map(({ context, metadata, display }) => ({
      contractName: metadata.contractName,
      descriptor: `${PLACE}/${metadata.contractName}.json`,
      deployments: context?.contract.deployments ?? [],
      ...(context?.contract.factory ? { factory: context.contract.factory } : {}),
      functions: Object.keys(display.formats),
    })),
  }
}
