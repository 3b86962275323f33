/** Speaker diarisation by labels: which parts of a conversation with an assistant did people say? */

interface Range {
  readonly start: number
  readonly end: number
}

const ASSISTANTS =
  'Assistant|AI|Bot|Chatbot|ChatGPT|GPT|Claude|Gemini|Copilot|Assistent|Asistente|Ассистент|助手'
const PEOPLE = 'User|Human|Me|You|Nutzer|Benutzer|Usuario|Utilisateur|Пользователь|用户'
/**
 * Most texts are asked no more than this: it looks for a colon and then back, which takes a fraction
 * of looking at the beginning of every line.
 */
const HAS_ASSISTANT = new RegExp(`:(?<=^[>#\\t *_]{0,10}(?:${ASSISTANTS})[*_]{0,2}:)`, 'mu')
/** `User: …`, `**Assistant:** …`: a line that begins with who speaks. */
const TURN = new RegExp(
  `^[>#\\t ]{0,8}[*_]{0,2}(?:(${ASSISTANTS})|(?:${PEOPLE}))[*_]{0,2}:[*_]{0,2}(?=\\s)`,
  'gmu',
)

/**
 * In the order of the text; empty for one that is no such conversation. What a person says in it is
 * what the person knows; what the assistant says is often longer, and about everything.
 */
export function saidByPeople(text: string, bodyStart: number): readonly Range[] {
  if (!HAS_ASSISTANT.test(text)) return []
  const turns = [...text.matchAll(TURN)].filter(({ index }) => index >= bodyStart)
  const said: Range[] = []
  let answered = false
  for (const [at, { 0: label, 1: assistant, index }] of turns.entries()) {
    if (assistant !== undefined) continue
    const next = turns[at + 1]
    said.push({ start: index + label.length, end: next?.index ?? text.length })
    answered ||= next?.[1] !== undefined
  }
  return answered ? said : []
}
