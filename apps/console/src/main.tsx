import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/session.ts'
import { discoverWallets } from './api/wallets.ts'
import { router } from './router.tsx'
import { applyTheme } from './shell/theme.ts'
import './styles.css'

applyTheme()
discoverWallets()
const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
