/** An image as people call it, within a version. */
interface NamedImage {
  readonly version: string
  readonly provider: string
  readonly architecture: string
}

/** "1.2.0 for virtualbox on amd64" */
export const imageInWords = ({ version, provider, architecture }: NamedImage): string =>
  `${version} for ${provider} on ${architecture}`

/** The same with its box: "acme/base 1.2.0 for virtualbox on amd64" */
export const wholeImageInWords = (
  { organization, name }: { readonly organization: string; readonly name: string },
  image: NamedImage
): string => `${organization}/${name} ${imageInWords(image)}`

/** For the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
