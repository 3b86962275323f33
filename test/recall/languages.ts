/** A made base in several languages, for prompts in them. */
function page(title: string, text: string): string {
  return `# ${title}\n\n${text}\n`
}

function person(title: string, text: string): string {
  return `---\ntype: person\n---\n${page(title, text)}`
}

const FILLER = Object.fromEntries(
  Array.from({ length: 30 }, (_, no) => [
    `rest/${no}.md`,
    page(`Rest ${no}`, `Ein Text, un texte, un texto, текст, 一些文字, いくつかの言葉 (${no}).`),
  ]),
)

export const LANGUAGES: Readonly<Record<string, string>> = {
  ...FILLER,
  'en/Kestrel.md': page('Kestrel', 'Prices a basket.'),
  'en/Bluefin.md': page('Bluefin', 'Ships parcels.'),
  'people/Mara Lind.md': person('Mara Lind', 'Owns pricing.'),
  'people/Amélie Laurent.md': person('Amélie Laurent', 'Dirige la logistique.'),
  'people/Анна Петрова.md': person('Анна Петрова', 'Отвечает за склад.'),
  'people/王小明.md': person('王小明', '负责仓库。'),
  'de/Dienstübergabe.md': page('Dienstübergabe', 'Was der nächste wissen muss.'),
  'de/Schichtplan.md': page('Schichtplan', 'Wer wann arbeitet.'),
  'fr/Passation.md': page('Passation d’astreinte', 'Ce que le suivant doit savoir.'),
  'fr/Atelier.md': page('Atelier Boréal', 'Où nous réparons.'),
  'fr/Orangerie.md': page('Orangerie', 'La serre.'),
  'es/Traspaso.md': page('Traspaso de guardia', 'Lo que debe saber el siguiente.'),
  'ru/Передача дежурства.md': page('Передача дежурства', 'Что должен знать следующий.'),
  'ru/Берёзка.md': page('Берёзка', 'Склад на севере.'),
  'ru/Заметки.md': page('Заметки', 'Разное.'),
  'zh/值班交接.md': page('值班交接', '下一位需要知道的事情。'),
  'zh/青鸟项目.md': `---\naliases: [青鸟]\n---\n${page('青鸟项目', '定价服务。')}`,
  'zh/计划.md': page('计划', '以后要做的事情。'),
  'ja/京都.md': page('京都', '古い町。'),
  'ja/京大.md': page('京大', '古い学校。'),
  'ja/渡り鳥計画.md': page('渡り鳥計画', '価格を計算する。'),
  'ko/인수인계.md': page('인수인계', '다음 사람이 알아야 할 것.'),
}
