print("depth")
