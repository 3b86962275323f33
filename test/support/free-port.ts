/**
 * A port of the loopback for servers that go and come back at the same address. Below the ports
 * that systems hand out by themselves, so that no connection of another test has it meanwhile.
 */
import { createServer } from 'node:net'

const LOWEST = 10_000
const HIGHEST = 32_000
const TRIES = 100

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
    if (await isFree(port)) return port
  }
  throw new Error('no port is free')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listening) await new Promise((resolve) => server.close(resolve))
  return listening
}
