/// The names of options whose condition holds, in their order.
func optionNames(_ options: KeyValuePairs<String, Bool>) -> [String] {
  options.filter(\.value).map(\.key)
}
