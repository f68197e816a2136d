import type { DemoWorld } from './demo-world.ts'

/** What a newcomer sees when everything runs. */
export function welcome(
  world: DemoWorld,
  {
    opsUrl,
    dataDir,
    seconds,
  }: { readonly opsUrl: string | undefined; readonly dataDir: string; readonly seconds: number },
): string {
  const curl = `curl -s -H "X-API-Key: ${world.instances.issuer?.apiKey}" ${world.baseUrl}`
  const keys = Object.entries(world.instances).map(([role, { apiKey }]) => `  ${role.padEnd(9)} ${apiKey}`)
  return `
Tallystick is ready after ${seconds.toFixed(1)} s.

  API       ${world.baseUrl}
  Docs      ${world.baseUrl}/docs
  Chain     ${world.rpcUrl} (id ${world.chainId})
  Metrics   ${opsUrl}/metrics
  Demo      ${dataDir}/demo.json has keys, wallets and addresses

Demo keys, one instance each:
${keys.join('\n')}
  register  ${world.registerKey}

Try:
  ${curl}/external-tokens/api/list
  ${curl}/stocks/api/fetch/token/${world.tokens.NWP}
  ${curl}/orderbooks/stocks/api/order-books/${world.orderBooks.stock?.orderBookId}/snapshot

npm run twenty tries every endpoint of the interface on it, npm run tour shows what each role does.
npm start -- --bots lets two bots trade on the books; --fresh starts over.
Ctrl-C stops it; the next start goes on with the same data. Log: ${dataDir}/tallystick.log

Open the console: ${world.baseUrl}/
`
}
