import { type Claim, claims, type Lean } from './phrases.ts';

/** Statements in languages other than English, by lean only. */
export const FOREIGN_CLAIMS: Readonly<Record<string, Readonly<Record<Lean, readonly Claim[]>>>> = {
  es: {
    positive: claims(
      0.7,
      '{m} está subiendo muchísimo, ya va {n}% en {h} horas',
      'compré {n} sol de {m}, la mejor comunidad desde {k}k',
    ),
    neutral: claims(
      0,
      'alguien sabe quién creó {m}? vi {n} carteras',
      '{m} movió {k} sol en {h} horas',
    ),
    negative: claims(
      -0.8,
      '{m} es una estafa, perdí {n} sol en {h} minutos',
      'cuidado con {m}, vendieron el {n}% de golpe',
    ),
  },
  pt: {
    positive: claims(
      0.7,
      '{m} subindo forte, {n}% em {h} horas',
      'comprei mais {n} sol de {m}, time muito bom, alvo {k}k',
    ),
    neutral: claims(
      0,
      '{m} com {n} holders novos em {h} horas',
      'onde vejo o contrato de {m}? achei {h} sites',
    ),
    negative: claims(
      -0.8,
      '{m} é golpe, o dev vendeu {n}%',
      'perdi {n} sol com {m} em {h} minutos, péssimo',
    ),
  },
  tr: {
    positive: claims(
      0.7,
      '{m} uçuyor, {h} saatte %{n} yükseldi',
      '{n} sol daha {m} aldım, topluluk harika, hedef {k}k',
    ),
    neutral: claims(
      0,
      '{m} son {h} saatte {k} sol hacim yaptı',
      '{m} kimin projesi bilen var mı, {n} cüzdan gördüm',
    ),
    negative: claims(
      -0.8,
      '{m} dolandırıcılık, {n} sol kaybettim',
      '{m} çöktü, {h} dakikada %{n} düştü, uzak durun',
    ),
  },
  ru: {
    positive: claims(
      0.7,
      '{m} летит вверх, уже {n}% за {h} часов',
      'докупил {m} на {n} sol, отличная команда, цель {k}k',
    ),
    neutral: claims(0, 'кто сделал {m}? вижу {n} кошельков', 'объём {m} за {h} часов {k} sol'),
    negative: claims(
      -0.8,
      '{m} скам, потерял {n} sol за {h} минут',
      'разработчик {m} слил {n}%, ужас',
    ),
  },
  zh: {
    positive: claims(
      0.7,
      '{m} 太强了，{h} 小时涨了 {n}%',
      '又买了 {n} sol 的 {m}，社区很好，目标 {k}k',
    ),
    neutral: claims(0, '{m} 过去 {h} 小时成交 {k} sol', '有人知道 {m} 是谁做的吗，看到 {n} 个钱包'),
    negative: claims(-0.8, '{m} 是骗局，{h} 分钟亏了 {n} sol', '{m} 项目方砸了 {n}%，快跑'),
  },
  ja: {
    positive: claims(
      0.7,
      '{m} 爆上げ中、{h}時間で{n}%',
      '{m} を {n} sol 買い増した、最高のコミュニティ、目標 {k}k',
    ),
    neutral: claims(
      0,
      '{m} の出来高は{h}時間で {k} sol',
      '{m} は誰が作ったの、ウォレットが {n} 個ある',
    ),
    negative: claims(-0.8, '{m} は詐欺、{h}分で {n} sol 失った', '{m} 運営が {n}% 売った、最悪'),
  },
};
