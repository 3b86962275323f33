/** The same judgements in other languages and scripts, apart and side by side. */
import { judge } from './judge.ts'

judge(
  'German notes',
  {
    haustiere: `# Haustiere\n\nHunde und Katzen sind in den Häusern erlaubt, wenn die Nachbarn nicht gestört werden.`,
    hausordnung: `# Hausordnung\n\nDie Ruhezeiten gelten für alle. Das Haus wird um zehn Uhr geschlossen.`,
    muell: `# Müll\n\nDie Mülltonnen werden am Dienstag auf die Straße gestellt und am Abend wieder geholt.`,
    strassenfest: `# Straßenfest\n\nEinmal im Jahr wird auf der Straße gefeiert, und die Kinder malen mit Kreide.`,
    miete: `# Miete\n\nDie Mieten werden zum Ersten des Monats gezahlt. Bei einer Erhöhung ist der Brief wichtig.`,
    kuendigung: `# Kündigung\n\nEine Kündigung muss schriftlich sein und drei Monate vor dem Auszug da sein.`,
    schluessel: `# Schlüssel\n\nWer einen Schlüssel verliert, zahlt das Schloss. Ersatzschlüssel sind bei der Verwaltung.`,
    heizung: `# Heizung\n\nIm Winter wird von sechs bis elf geheizt. Die Heizkörper sind im Sommer aus.`,
  },
  [
    {
      query: 'Haus',
      first: ['hausordnung'],
      because: 'das Wort selbst, und sein Plural: Haus, Häuser',
    },
    { query: 'Häuser', order: ['haustiere'], because: 'the plural finds what is written so' },
    { query: 'Strasse', order: ['muell'], because: 'ß and ss are one letter' },
    { query: 'Straßen', order: ['muell'], because: 'the plural finds the singular' },
    { query: 'mull', first: ['muell'], because: 'without its dots' },
    {
      query: 'wann wird die Miete gezahlt',
      first: ['miete'],
      because: 'a question; small words do not count',
    },
    { query: 'Kündigungen', first: ['kuendigung'], because: 'the plural' },
    {
      query: 'verlorene Schlüssel',
      first: ['schluessel'],
      because: 'an adjective nobody wrote spoils nothing',
    },
    { query: 'Kündiung schriftlich', first: ['kuendigung'], because: 'a letter is missing' },
    { query: 'Kuendigung', first: ['kuendigung'], because: 'the file is named so' },
  ],
)

judge(
  'Russian notes',
  {
    книги: `# Книги\n\nСписок книг, которые мы читали в этом году, и кто их советовал.`,
    города: `# Города\n\nМы были в новых городах и видели старые дома. Город у моря понравился всем.`,
    рецепты: `# Рецепты\n\nСуп варится час. Соль добавляют в конце, а хлеб режут сразу.`,
    работа: `# Работа\n\nВстречи по вторникам. Отчёт пишут к пятнице, новая книга учёта лежит на столе.`,
    сад: `# Сад\n\nЯблони обрезают весной. Деревья поливают вечером.`,
    дети: `# Дети\n\nШкола начинается в девять. Учитель просил принести краски.`,
    поездка: `# Поездка\n\nБилеты куплены, поезд отходит утром. Чемоданы собраны.`,
    здоровье: `# Здоровье\n\nВрач советовал гулять каждый день и пить воду.`,
  },
  [
    {
      query: 'книга',
      first: ['книги', 'работа'],
      because: 'singular and plural meet; the title comes first',
    },
    { query: 'КНИГ', first: ['книги', 'работа'], because: 'case and the genitive' },
    { query: 'город', only: ['города'], because: 'all its cases' },
    { query: 'отчет', only: ['работа'], because: 'ё and е are one letter' },
    {
      query: 'когда обрезать яблоню',
      first: ['сад'],
      because: 'a question in other forms of the words',
    },
    { query: 'учитль', only: ['дети'], because: 'a letter is missing' },
  ],
)

judge(
  'Chinese and Japanese notes',
  {
    数据库: '# 数据库设计\n\n我们使用关系数据库保存用户的订单。索引可以加快查询速度。',
    缓存: '# 缓存策略\n\n缓存放在数据库前面,减少查询。过期时间是五分钟。',
    部署: '# 部署流程\n\n先在测试环境部署,再发布到生产环境。',
    回滚: '# 回滚\n\n发布失败时,回到上一个版本。',
    東京: '# 東京都\n\n東京都は日本の首都です。人口はとても多いです。',
    京都: '# 京都\n\n京都は古い都市で、寺がたくさんあります。',
    サーバー: '# サーバーの設定\n\nデータベースのサーバーを再起動する方法を説明します。',
    会議: '# 会議メモ\n\n来週の会議は火曜日です。サーバーの話もします。',
    'readme-zh':
      '# README\n\n用 Docker 启动服务:运行 docker compose up 即可。API 的地址是 /v2/orders。',
  },
  [
    { query: '数据库', first: ['数据库', '缓存'], because: 'the title, then the text' },
    { query: '查询速度', first: ['数据库'], because: 'a compound that one note has whole' },
    { query: '如何回到上一个版本', first: ['回滚'], because: 'a question without spaces' },
    {
      query: '缓存什么时候过期？',
      first: ['缓存'],
      because: 'what only asks is no content, and the answer is called relevant',
    },
    {
      query: '京都はどこですか',
      first: ['京都'],
      because: 'the same in Japanese',
    },
    { query: '生产环境部署', first: ['部署'], because: 'two words run together' },
    {
      query: '京都',
      first: ['京都'],
      because: 'the city, before 東京都, which only has its letters',
    },
    { query: '東京', first: ['東京'], because: 'a prefix of the name' },
    { query: 'サーバー', first: ['サーバー', '会議'], because: 'katakana with its long vowel' },
    {
      query: 'ｻｰﾊﾞｰ',
      first: ['サーバー'],
      because: 'half-width kana are the same name; in a text, only half of their pairs match',
    },
    {
      query: 'データベースを再起動',
      first: ['サーバー'],
      because: 'words and a particle between them',
    },
    { query: 'docker 启动', first: ['readme-zh'], because: 'two scripts in one question' },
    {
      query: 'docker compose',
      only: ['readme-zh'],
      because: 'Latin words among Chinese',
      modes: ['lexical'],
    },
    { query: '寺', only: ['京都'], because: 'a single character', modes: ['lexical'] },
  ],
)

judge(
  'languages side by side',
  {
    'en/houses': '# Houses\n\nThe houses on this road are old and the roofs are red.',
    'en/note': '# Notes\n\nThis is not a list. It is a note about notes that are not taken.',
    'de/haeuser': '# Häuser\n\nDie Häuser an der Straße sind alt und mit roten Ziegeln gedeckt.',
    'de/noten': '# Noten\n\nDie Noten sind für die Schüler wichtig und werden im Juli gegeben.',
    'fr/animaux': `# Animaux\n\nLes animaux dorment dans la maison et les enfants jouent avec eux.`,
    'es/canciones':
      '# Canciones\n\nLas canciones de la niña son para los amigos y no para el público.',
    'ru/doma': '# Дома\n\nСтарые дома стоят у дороги, и крыши у них красные.',
    'el/spiti': '# Σπίτια\n\nΤα σπίτια στον δρόμο είναι παλιά.',
    'ko/jip': '# 집\n\n이 길의 집들은 오래되었고 지붕은 빨갛다.',
    'th/baan': '# บ้าน\n\nบ้านบนถนนนี้เก่าและหลังคาสีแดง',
    'mixed/kubernetes':
      '# Kubernetes в продакшене\n\nDeployment запускает поды, Service даёт им имя.',
  },
  [
    { query: 'house', first: ['en/houses'], because: 'English' },
    { query: 'Haus', first: ['de/haeuser'], because: 'German, by its plural' },
    {
      query: "l'animal",
      first: ['fr/animaux'],
      because: 'French, with its article and an irregular plural',
    },
    { query: 'canción', first: ['es/canciones'], because: 'Spanish, accent and plural' },
    { query: 'cancion', first: ['es/canciones'], because: 'and without the accent' },
    { query: 'красная крыша', first: ['ru/doma'], because: 'Russian, both words inflected' },
    { query: 'ΣΠΊΤΙΑ', first: ['el/spiti'], because: 'Greek capitals' },
    { query: '지붕', first: ['ko/jip'], because: 'Korean, though a particle follows' },
    { query: 'หลังคา', first: ['th/baan'], because: 'Thai, which writes no spaces' },
    {
      query: 'Noten',
      first: ['de/noten'],
      because: 'a German word that an English stem would confuse',
    },
    { query: 'deployment поды', first: ['mixed/kubernetes'], because: 'two scripts in one note' },
    { query: 'kubernetes продакшен', first: ['mixed/kubernetes'], because: 'and in one title' },
  ],
)
