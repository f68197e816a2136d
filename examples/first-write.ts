// Issues shares of the demo's stock: asks for the transaction, signs it, sends it, and reports it. Beside a running `npm start`:
//   npx tsx examples/first-write.ts
import { readFileSync } from 'node:fs'
import { createTally, signAndConfirm } from '@tallystick/sdk'
import { createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'

const { baseUrl, rpcUrl, tokens, instances } = JSON.parse(readFileSync('var/demo.json', 'utf8'))
const { apiKey, wallets } = instances.issuer
const [issuer, investor] = wallets

const { stocks } = createTally({ baseUrl, apiKey })
const account = privateKeyToAccount(issuer.privateKey)
const wallet = createWalletClient({ account, chain: foundry, transport: http(rpcUrl), pollingInterval: 100 })

const shares = { recipient: investor.address, amount: '5', reason: 'My first write' }
const request = { params: { tokenAddress: tokens.NWP }, body: shares }
const { confirmed } = await signAndConfirm(stocks.issueShares, request, wallet)
console.log('Issued, and proven from the receipt:', confirmed)
