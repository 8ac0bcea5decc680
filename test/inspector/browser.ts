/** A real Chromium for tests of the page: that of the system, or the one inside an npm package. Nothing is downloaded. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import packed, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-pings',
]
const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Whether this machine can run a browser. The packed one runs on x64 Linux only. */
export const hasBrowser: boolean =
  systemBrowser() !== undefined || (process.platform === 'linux' && process.arch === 'x64')

export async function launchBrowser(): Promise<Browser> {
  const system = systemBrowser()
  if (system !== undefined) return chromium.launch({ executablePath: system, args: FLAGS })
  const { executablePath, libraries } = await unpacked()
  const env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fontsFile() }
  return chromium.launch({ executablePath, args: [...FLAGS, '--no-zygote'], env })
}

/**
 * Unpacks the packed browser, if this machine needs it and has not done so. Two processes must not do this at once: the
 * second would start a file that the first still writes.
 */
export default async function unpackBrowser(): Promise<void> {
  if (hasBrowser && systemBrowser() === undefined) await unpacked()
}

async function unpacked() {
  const { resolve } = createRequire(import.meta.url)
  const bin = join(dirname(resolve('@sparticuz/chromium')), '../bin')
  const executablePath = await packed.executablePath(bin)
  return { executablePath, libraries: join(await inflate(join(bin, 'al2023.tar.br')), 'lib') }
}

function systemBrowser(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  return named ?? SYSTEM.find(path => existsSync(path))
}

/** Without this file, the texts of the packed browser have no width. */
function fontsFile(): string {
  const fonts = join(tmpdir(), 'fonts')
  mkdirSync(fonts, { recursive: true })
  const file = join(fonts, 'local.conf')
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${fonts}</dir><dir>/usr/share/fonts</dir><cachedir>${fonts}/cache</cachedir></fontconfig>`,
  )
  return file
}
