import { expect, it } from 'vitest'
import type { CodeLanguage } from '../../domain/code.ts'
import { scanLines } from './scan-lines.ts'

const names = (language: CodeLanguage, text: string): string[] =>
  scanLines(language, text).definitions.map(({ kind, name }) => `${kind} ${name}`)

it('finds methods that no word tells', () => {
  const java = `package shop;
public final class Till extends Desk {
  private final Map<String, Long> coins = new HashMap<>();
  public Till(int drawers) {
    super(drawers);
    check(drawers);
  }
  @Override public <T extends Coin> List<T> countAll(Class<T> kind) throws Broken {
    if (kind == null) return List.of();
    for (T each : all(kind)) add(each);
    return total(kind);
  }
  abstract void close();
  static class Drawer {
    byte[] bytes() { return null; }
  }
}
interface Counts {
  long sum(String name);
}
`
  expect(names('java', java)).toEqual([
    'class Till',
    'method Till',
    'method countAll',
    'method close',
    'class Drawer',
    'method bytes',
    'interface Counts',
    'method sum',
  ])
  const script = `export class Server {
  #open = false
  async close(): Promise<void> {
    this.stop()
    await wait(() => {
      done()
    })
  }
  static from<T>(
    value: T,
  ) {}
}
describe('server', () => {
  it('closes', () => {
    close()
  })
})
`
  expect(names('typescript', script)).toEqual(['class Server', 'method close', 'method from'])
  const cpp = `#include "a.h"
static int count(const char *text) {
  return length(text);
}
void Server::start(int port)
{
  listen(port);
}
int declared(int);
`
  expect(names('cpp', cpp)).toEqual(['function count', 'function Server.start'])
})

it('is done with a line that would keep a pattern busy', () => {
  const text = `class A {\n  ${'a <b '.repeat(3_000)}\n  void b() {}\n}\n`
  expect(names('java', text)).toEqual(['class A', 'method b'])
})
