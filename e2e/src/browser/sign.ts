import type { Page } from 'playwright-core'

/** Signs what the drawer shows with the development wallet, clicking twice as impatient people do, and closes it once it is proven. */
export async function signAndWait(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign and send' }).dblclick()
  await page.locator('li', { hasText: 'Mined and proven' }).locator('.bg-good').waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Done' }).click()
}
