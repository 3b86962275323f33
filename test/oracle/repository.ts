/** A repository such as the duskmantle surface is for: docs, code, tests and a catalogue. */
export const REPOSITORY: Readonly<Record<string, string>> = {
  'README.md':
    '# Tide station\n\nReads gauges and sends alerts. See [the design](docs/design.md).\n',
  'docs/design.md':
    '# Design\n\nThe ingest pipeline reads `src/ingest/pipeline.py` and retries each message three times.\n\n## Retry policy\n\nA message that fails is retried with a growing pause, then set aside in the dead letter queue.\n\n## Storage\n\nReadings are kept for ninety days in the store.\n',
  'docs/telemetry.md':
    '---\nsubsystem: Ingest\ntags: [telemetry, metrics]\n---\n# Telemetry\n\nIngest pipeline telemetry is kept for each stage of every run. Dashboards show lag, retries and dead letters.\n',
  'docs/alerts.md':
    '# Alerts\n\nAn alert is sent when the water is higher than the threshold of the harbour. Nobody is woken for yellow.\n',
  'docs/empty.md': '',
  'docs/long.md': `# Long report\n\n${Array.from({ length: 60 }, (_, n) => `Paragraph ${n} tells how gauge ${n} was calibrated against the tide table of the harbour.`).join('\n\n')}\n`,
  'src/ingest/pipeline.py':
    '"""The ingest pipeline."""\nfrom store.readings import save\n\nRETRIES = 3\n\n\nclass Pipeline:\n    """Reads messages and keeps readings."""\n\n    def run(self, messages):\n        for message in messages:\n            self.retry(message)\n\n    def retry(self, message):\n        for attempt in range(RETRIES):\n            if save(message):\n                return True\n        return False\n\n\ndef parse_message(raw):\n    return raw.split(",")\n',
  'src/store/readings.py':
    'def save(reading):\n    """Keep one reading."""\n    return reading is not None\n\n\nclass ReadingStore:\n    def latest(self, station):\n        return None\n',
  'src/alerts/send.ts':
    'export interface Alert {\n  readonly station: string\n  readonly level: number\n}\n\n/** Sends when the level is above the threshold. */\nexport function sendAlert(alert: Alert, threshold: number): boolean {\n  return alert.level > threshold\n}\n',
  'src/alerts/index.ts': "export { sendAlert } from './send'\n",
  'tests/test_pipeline.py':
    'from ingest.pipeline import Pipeline\n\n\ndef test_retry():\n    assert Pipeline().retry("a")\n',
  'proto/reading.proto':
    'syntax = "proto3";\nmessage Reading {\n  string station = 1;\n  int32 millimetres = 2;\n}\n',
  '.metadata/subsystems.json': `${JSON.stringify(
    {
      Ingest: {
        description: 'Takes messages in',
        criticality: 'high',
        paths: ['src/ingest', 'docs/telemetry', 'tests/test_pipeline'],
        dependencies: ['Store'],
      },
      Store: { description: 'Keeps readings', criticality: 'critical', paths: ['src/store'] },
      Alerts: {
        description: 'Warns harbours',
        paths: ['src/alerts', 'docs/alerts'],
        dependencies: ['Store', 'Ingest'],
      },
    },
    undefined,
    2,
  )}\n`,
  'recipes/look.yaml':
    'version: 1\nname: look\nvariables: { term: pipeline }\nsteps:\n  - id: find\n    tool: km-graph-search\n    params: { term: "${term}" }\n    capture: [{ name: all, path: results }]\n  - id: node\n    tool: km-graph-node\n    params: { node_id: "DesignDoc:docs/design.md" }\noutputs: { found: "${captures.all}" }\n',
}
