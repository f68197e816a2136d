export type { AssetBundle, SealedBundle } from './bundle.rules.ts'
