/** Outlines on a grid of 24, drawn for this console. */
const PATHS = {
  home: 'M4 11.5 12 5l8 6.5M6 10v9h12v-9',
  list: 'M5 7h14M5 12h14M5 17h9',
  chart: 'M5 19V5M5 19h14M8.5 15l3.5-4.5 3 2.5 4-6',
  loan: 'M5 8h14v10H5zM5 11h14M8 15h3',
  gavel: 'M9 5l6 6M7 7l6 6M11 3l6 6-4 4-6-6zM10.5 12.5 5 18M13 20h7',
  shield: 'M12 4l7 2.5v5c0 4-3 7-7 8.5-4-1.5-7-4.5-7-8.5v-5z',
  ladder: 'M5 6h9M5 10h5M5 14h12M5 18h7',
  quote: 'M5 5h14v10h-7l-4 4v-4H5zM9 10h6',
  vault: 'M4.5 5h15v13h-15zM7 18v2M17 18v2M12 14.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM15 11.5h2',
  users:
    'M9 12a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 12zM3.5 19c.4-3.2 2.6-5 5.5-5s5.1 1.8 5.5 5M16 11.6a2.7 2.7 0 0 0 0-5.3M17 14.2c2 .5 3.2 2.200 3.5 4.800',
  copy: 'M9 9h10v10H9zM15 9V5H5v10h4',
  check: 'M5 12.5 10 17l9-10',
  cross: 'M6 6l12 12M18 6 6 18',
  down: 'M7 10l5 5 5-5',
  right: 'M10 7l5 5-5 5',
  out: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  file: 'M7 4h7l4 4v12H7zM14 4v4h4',
  save: 'M12 4v10M8 10.500l4 4 4-4M5 19h14',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600 7 7M17 17l1.400 1.400M18.400 5.600 17 7M7 17l-1.400 1.400',
  moon: 'M19 14.500A7.500 7.500 0 0 1 9.500 5 7.500 7.500 0 1 0 19 14.500z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c.6-3.500 3.400-5.500 7-5.500s6.400 2 7 5.500',
  coins: 'M9 15a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM14.500 9.200a5 5 0 1 1-5 7.800',
  shares: 'M12 4a8 8 0 1 0 8 8h-8zM15 4v5h5a6 6 0 0 0-5-5z',
  alert: 'M12 4 21 19H3zM12 10v4M12 16.500v.5',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4.500l3 1.500',
  search: 'M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM15.500 15.500 20 20',
  book: 'M5 5.500C7.500 4.500 10 4.700 12 6c2-1.300 4.500-1.500 7-.5V18c-2.500-1-5-.8-7 .5-2-1.300-4.500-1.500-7-.5zM12 6v12.500',
  wallet: 'M4.500 7.500h15v11h-15zM4.500 7.500 15 4.500v3M15.500 12h4v3h-4z',
  key: 'M8.500 15.500a4 4 0 1 1 3.500-5.800L20 9.700v3h-2v2h-3v-2h-3a4 4 0 0 1-3.500 2.800z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, className = 'size-4' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      className={`${className} shrink-0`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
